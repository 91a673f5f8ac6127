-- What a person liked or disliked, which corrects nothing.
ALTER TABLE feedback ADD COLUMN comment TEXT;
