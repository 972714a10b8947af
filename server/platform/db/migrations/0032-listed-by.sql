-- Masks of the results of a panel, organism or report without a value of its own: it is not listed where the consent covers one
-- of them, which names it as its panel. Search and details find it.
alter table clinical_entry add column listed_by integer[];
