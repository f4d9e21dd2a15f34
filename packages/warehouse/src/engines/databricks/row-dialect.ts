import { defineDialect } from '../../dialects/dialect.ts'
import { reservedWords } from '../../dialects/reserved-words.ts'

/** How rows of Databricks differ from those of other products. */
export const databricksRowDialect = defineDialect('deltalake', {
  reserved: reservedWords({
    less: 'analyse analyze asc default desc limit offset',
    more: `at by current interval no partition position range row rows start tablesample time values window with`,
  }),
})
