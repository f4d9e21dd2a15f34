import { defineDialect, withJson } from '../../dialects/dialect.ts'

/** How rows of PostgreSQL differ from those of other products. */
export const postgresRowDialect = defineDialect('postgres', { ...withJson, nameLengthMax: 63 })
