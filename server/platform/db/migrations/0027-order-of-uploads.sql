-- The order in which batches of a record were acknowledged, and in which they are read: from 1, without two of the same.
alter table upload_batch add column position bigint;
update upload_batch b set position = o.position
from (
  select patient_id, batch_id, row_number() over (partition by patient_id order by received_at, batch_id) as position
  from upload_batch) o
where b.patient_id = o.patient_id and b.batch_id = o.batch_id;
alter table upload_batch alter column position set not null;
create unique index upload_batch_position on upload_batch (patient_id, position);
