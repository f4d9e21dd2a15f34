import { defineDialect, withJson } from '../../dialects/dialect.ts'
import { reservedWords } from '../../dialects/reserved-words.ts'

/** How rows of Snowflake differ from those of other products. */
export const snowflakeRowDialect = defineDialect('snowflake', {
  ...withJson,
  isUpperCase: true,
  reserved: reservedWords({
    less: 'analyse analyze array asc authorization default desc end limit offset primary references user',
    more: 'by current database qualify row rows schema start tablesample values with',
  }),
  mergesIdentities: true,
})
