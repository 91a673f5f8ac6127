ALTER TABLE feedback ADD COLUMN comment TEXT;
