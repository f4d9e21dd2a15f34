import { defineDialect, withJson } from '../../dialects/dialect.ts'
import { wordSet } from '../../dialects/reserved-words.ts'
import { mysqlWords } from './mysql-words.ts'

/** How rows of MySQL and MariaDB differ from those of other products. */
export const mysqlRowDialect = defineDialect('mysql', { ...withJson, nameLengthMax: 64, reserved: wordSet(mysqlWords) })
