-- New passages wait in a list of at most 256 kB for the index of words, which then takes hundreds of them at once instead of
-- each word of each by itself. A search reads the list besides.
alter index passage_terms set (fastupdate = on, gin_pending_list_limit = 256);
