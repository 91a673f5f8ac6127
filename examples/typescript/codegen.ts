import type { CodegenConfig } from "@graphql-codegen/cli";

// What `npm run generate` makes of operations.graphql. All settings:
// https://the-guild.dev/graphql/codegen/docs/config-reference/codegen-config
const config: CodegenConfig = {
  schema: "../../schema/schema.graphql",
  documents: "operations.graphql",
  generates: {
    "src/mneme.ts": {
      plugins: ["typescript-operations", "typed-document-node"],
      config: {
        // The text of each operation, with its types; so the program needs no GraphQL library.
        documentMode: "string",
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        scalars: {
          ID: "string",
          DateTime: "string", // in UTC with milliseconds, as `Date` reads and writes it
          JSON: "unknown", // any value; who knows what it is checks it
        },
      },
    },
  },
};

export default config;
