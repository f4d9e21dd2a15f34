import type { JsonObject, JsonValue } from '@sluice/core'

interface CarriedSettings {
  readonly settings: JsonObject
  /** What works differently here, in words. */
  readonly changes: readonly string[]
}

/** Types of RudderStack that collect events and load them together, by their names there and here. */
const warehouses = 'POSTGRES CLICKHOUSE S3_DATALAKE SNOWFLAKE BQ BIGQUERY RS REDSHIFT DELTALAKE DATABRICKS'.split(' ')
/** Those that never look for rows that are there. */
const appendOnly = ['CLICKHOUSE', 'S3_DATALAKE']
/** Ports of ClickHouse's own protocol, and those of HTTP beside them. */
const httpPorts: Readonly<Record<string, number>> = { 9000: 8_123, 9440: 8_443 }
const syncSecondsMax = 86_400

/**
 * Returns settings of RudderStack under the names and in the units that they have here. A name that is there already wins.
 * Source: RudderStack docs, warehouse destinations; its public sample configurations.
 */
export function carriedSettings(type: unknown, settings: JsonObject): CarriedSettings {
  const name = String(type).toUpperCase()
  if (!warehouses.includes(name)) return { settings, changes: [] }
  const { syncFrequency, preferAppend, ...others } = settings
  const changes: string[] = []
  const carried: Record<string, JsonValue | undefined> = {}
  const minutes = Number(syncFrequency)
  if (syncFrequency !== undefined) {
    if (Number.isInteger(minutes) && minutes > 0) carried['syncSeconds'] = Math.min(minutes * 60, syncSecondsMax)
    else carried['syncFrequency'] = syncFrequency
  }
  if (preferAppend !== undefined) {
    if (typeof preferAppend === 'boolean' && !appendOnly.includes(name))
      carried['loadMode'] = preferAppend ? 'append' : 'merge'
    else carried['preferAppend'] = preferAppend
  }
  if (name !== 'CLICKHOUSE') return { settings: { ...carried, ...others }, changes }
  const { database, port, ...rest } = others
  const httpPort = httpPorts[String(port)]
  if (httpPort !== undefined)
    changes.push(`port ${String(port)} became ${httpPort}, because Sluice uses the HTTP interface of ClickHouse`)
  const given: JsonObject = { namespace: database, port: httpPort ?? port }
  return { settings: { ...carried, ...defined(given), ...rest }, changes }
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
