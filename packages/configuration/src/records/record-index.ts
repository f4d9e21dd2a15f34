import type { JsonObject } from '@sluice/core'
import { type ConfigurationRecord, keyText, type RecordKey } from './configuration-record.ts'
import { pairOf } from './merge-records.ts'

/** Records by key, and by what only one of a workspace may have: a name, the ends of a connection, an external id. */
export class RecordIndex {
  readonly #byKey = new Map<string, ConfigurationRecord>()
  readonly #owners = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(records: readonly ConfigurationRecord[]) {
    for (const record of records) this.put(record)
  }

  get(key: RecordKey): ConfigurationRecord | undefined {
    return this.#byKey.get(keyText(key))
  }

  /** All records, in order of creation. */
  records(): readonly ConfigurationRecord[] {
    return [...this.#byKey.values()]
  }

  /** Number of records of a workspace. */
  count(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0
  }

  /** Returns another record that has the name, or the ends, that this body would have. */
  namesake(key: RecordKey, body: JsonObject): ConfigurationRecord | undefined {
    const name = nameText(key, body)
    return name === undefined ? undefined : this.#other(key, name)
  }

  /** Returns another record of the kind with an external id. */
  externalTwin(key: RecordKey, externalId: string): ConfigurationRecord | undefined {
    return this.#other(key, externalText(key, externalId))
  }

  put(record: ConfigurationRecord): void {
    const before = this.get(record)
    if (before) for (const text of claims(before)) this.#owners.delete(text)
    else this.#counts.set(record.workspaceId, this.count(record.workspaceId) + 1)
    this.#byKey.set(keyText(record), record)
    for (const text of claims(record)) this.#owners.set(text, keyText(record))
  }

  remove(key: RecordKey): void {
    const before = this.get(key)
    if (before === undefined) return
    for (const text of claims(before)) this.#owners.delete(text)
    this.#counts.set(key.workspaceId, this.count(key.workspaceId) - 1)
    this.#byKey.delete(keyText(key))
  }

  #other(key: RecordKey, text: string): ConfigurationRecord | undefined {
    const owner = this.#owners.get(text)
    return owner === undefined || owner === keyText(key) ? undefined : this.#byKey.get(owner)
  }
}

function claims(record: ConfigurationRecord): readonly string[] {
  const name = nameText(record, record.body)
  const external = record.externalId === undefined ? [] : [externalText(record, record.externalId)]
  return [...(name === undefined ? [] : [name]), ...external]
}

function nameText({ workspaceId, kind }: RecordKey, body: JsonObject): string | undefined {
  if (kind === 'token') return JSON.stringify([workspaceId, kind, 'name', body['name']])
  return kind === 'connection' ? JSON.stringify([workspaceId, kind, 'name', pairOf(body)]) : undefined
}

function externalText({ workspaceId, kind }: RecordKey, externalId: string): string {
  return JSON.stringify([workspaceId, kind, 'external', externalId])
}
