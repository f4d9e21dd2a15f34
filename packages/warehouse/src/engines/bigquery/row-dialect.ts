import { defineDialect } from '../../dialects/dialect.ts'
import { reservedWords } from '../../dialects/reserved-words.ts'

/** How rows of BigQuery differ from those of other products. */
export const bigqueryRowDialect = defineDialect('bq', {
  reserved: reservedWords({
    less: 'analyse analyze authorization check column constraint offset primary references table user',
    more: `at by current enum groups hash ignore interval merge no nulls partition proto range rows struct tablesample
    window with`,
  }),
  readsJsonPaths: true,
  readsSharedOptions: true,
  hasLoadedAt: true,
  mergesIdentities: true,
})
