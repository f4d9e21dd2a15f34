import { defineDialect, withJson } from '../../dialects/dialect.ts'
import { wordSet } from '../../dialects/reserved-words.ts'
import { duckdbWords } from './duckdb-words.ts'

/** How rows of DuckDB differ from those of other products. */
export const duckdbRowDialect = defineDialect('duckdb', {
  ...withJson,
  nameLengthMax: 255,
  reserved: wordSet(duckdbWords),
})
