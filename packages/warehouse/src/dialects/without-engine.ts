import { bigqueryRowDialect } from '../engines/bigquery/row-dialect.ts'
import { snowflakeRowDialect } from '../engines/snowflake/row-dialect.ts'
import { defineDialect, ofDataLake } from './dialect.ts'
import { reservedWords } from './reserved-words.ts'

const mssqlWords = reservedWords({
  less: 'analyse analyze offset',
  more: `action at by current data database date day float ignore index int interval key merge month no object
    partial partition percent pivot plan position range row rows schema size space start tablesample time value
    values window with year`,
})

/** Dialects of products for which rows are made as RudderStack makes them, and which no engine loads. */
export const withoutEngine = {
  azure_datalake: defineDialect('azure_datalake', { ...ofDataLake, reserved: mssqlWords }),
  azure_synapse: defineDialect('azure_synapse', { eventType: 'json', reserved: mssqlWords }),
  gcs_datalake: defineDialect('gcs_datalake', { ...ofDataLake, reserved: bigqueryRowDialect.reserved }),
  mssql: defineDialect('mssql', { eventType: 'json', reserved: mssqlWords }),
  snowpipe_streaming: defineDialect('snowpipe_streaming', {
    ...snowflakeRowDialect,
    readsSharedOptions: false,
    hasUsers: false,
    mergesIdentities: false,
  }),
}
