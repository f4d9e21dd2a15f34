export type { Dialect } from './dialect.ts'
export { createSchemaReader, pointerOf, type SchemaCheck } from './read-schema.ts'
export type { SchemaProblem } from './schema-problem.ts'
