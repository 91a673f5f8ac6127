import type { CodegenConfig } from "@graphql-codegen/cli";

// What `npm run generate` makes of operations.graphql. For operations of your own copy this file, and set `schema` to
// the server's schema.graphql or its address.
const config: CodegenConfig = {
  schema: "../../schema/schema.graphql",
  documents: "operations.graphql",
  generates: {
    "src/graphql.ts": {
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
          JSON: "unknown", // any value: check it before use
        },
      },
    },
  },
};

export default config;
