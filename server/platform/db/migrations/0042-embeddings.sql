-- What a model makes of a passage's text, where the operator named one (CHARTGATE_EMBEDDINGS_URL), else null: in the row that has
-- `required_labels`, so that what a consent leaves out is no neighbour either. The signs of its numbers find the nearest, of which
-- the numbers themselves are compared. Vectors of another model, or of another length, are never compared with these.
alter table passage add column embedding_model text;
alter table passage add column embedding real[];
alter table passage add column embedding_signs bit varying;
