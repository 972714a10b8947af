-- The words of the field for tables and columns whose names misled. Nothing but names changes.

alter table consent_route rename to consent_record_patient;
alter table login_throttle rename to rate_limit;
alter table resource_needs rename to resource_label;
alter table resource_before rename to resource_version;

alter table consent rename column expiry_told to expiry_emitted;
alter table webhook rename column suspension_told to suspension_announced;
alter table resource_label rename column needs to required_labels;
alter table resource_version rename column needs to required_labels;
alter table passage rename column needs to required_labels;
alter table record_holding rename column needs to required_labels;
alter table record_holding rename column instead_of to superseded_by;
alter table clinical_entry rename column needs to required_labels;
alter table clinical_entry rename column visit_needs to visit_labels;
alter table clinical_entry rename column instead_of to superseded_by;
alter table clinical_entry rename column told_elsewhere to matches;
alter table clinical_entry rename column told_by to source_key;
alter table resource rename column label to display;
alter table resource rename column label_code to display_code;

alter index consent_route_pkey rename to consent_record_patient_pkey;
alter index login_throttle_pkey rename to rate_limit_pkey;
alter index resource_needs_pkey rename to resource_label_pkey;
alter index resource_before_pkey rename to resource_version_pkey;
alter index resource_before_expired rename to resource_version_expired;
