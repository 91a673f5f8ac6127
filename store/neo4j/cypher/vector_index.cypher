CREATE VECTOR INDEX mneme_episode_{{.}} IF NOT EXISTS FOR (e:Episode) ON (e.{{.}})
OPTIONS {indexConfig: {`vector.dimensions`: $length, `vector.similarity_function`: 'cosine'}}
