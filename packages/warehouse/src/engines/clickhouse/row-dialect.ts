import { defineDialect } from '../../dialects/dialect.ts'

/** How rows of ClickHouse differ from those of other products. */
export const clickhouseRowDialect = defineDialect('clickhouse', { reserved: new Set(), hasArrays: true })
