-- The resources that are being labeled anew, of which readers go by the labels from before.
create index concurrently if not exists resource_label_unpublished
  on resource_label (patient_id, seq) where published_labels is not null;
