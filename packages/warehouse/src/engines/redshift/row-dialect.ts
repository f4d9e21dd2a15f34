import { defineDialect } from '../../dialects/dialect.ts'
import { reservedWords } from '../../dialects/reserved-words.ts'

/** How rows of Redshift differ from those of other products. */
export const redshiftRowDialect = defineDialect('rs', {
  reserved: reservedWords({ more: 'ignore nulls partition percent with' }),
  jsonType: 'json',
  eventType: 'text',
  readsJsonPaths: true,
  readsSharedOptions: true,
  stringLengthMax: 512,
})
