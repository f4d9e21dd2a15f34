import { defineDialect, ofDataLake } from '../../dialects/dialect.ts'
import { reservedWords } from '../../dialects/reserved-words.ts'

/** How rows of data lakes of Parquet files differ from those of other products. */
export const lakeRowDialect = defineDialect('s3_datalake', {
  ...ofDataLake,
  reserved: reservedWords({
    less: 'analyse analyze any asc check default desc limit offset',
    more: `current database date exchange float int interval partition percent range row rows start tablesample time
    timestamp values window with`,
  }),
})
