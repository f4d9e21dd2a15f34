import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

const list = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/**
 * Returns one report of several ids of a person. Records in the same place, and events at the same destination, are added
 * up; what is the same in two reports is there once.
 */
export function mergeReports(reports: readonly JsonObject[]): JsonObject {
  const of = (name: string): readonly JsonValue[] => reports.flatMap((report) => list(report[name]))
  const [first = {}] = reports
  return reports.length === 1
    ? first
    : {
        held: added(of('held'), 'where', 'count'),
        destinations: added(of('destinations'), 'destinationId', 'events'),
        regulations: distinct(of('regulations')),
        notes: distinct(of('notes')),
      }
}

function added(all: readonly JsonValue[], key: string, count: string): JsonValue[] {
  const byKey = new Map<string, JsonObject>()
  for (const each of all.filter(isJsonObject)) {
    const name = String(each[key])
    const known = byKey.get(name)
    byKey.set(name, known ? { ...known, [count]: Number(known[count]) + Number(each[count]) } : each)
  }
  return [...byKey.values()]
}

function distinct(all: readonly JsonValue[]): JsonValue[] {
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}
