// What searched before there was one index for all.
DROP INDEX mneme_episode_text IF EXISTS;
DROP INDEX mneme_text IF EXISTS;
