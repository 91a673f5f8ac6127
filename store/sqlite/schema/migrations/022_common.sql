-- The pairs that the contexts of all sections with an approach share; null where older versions counted some of them.
ALTER TABLE patterns ADD COLUMN common TEXT;
