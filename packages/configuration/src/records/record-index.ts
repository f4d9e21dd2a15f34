import type { JsonObject } from '@sluice/core'
import { type ConfigurationRecord, keyText, type RecordKey, type RecordKind } from './configuration-record.ts'
import type { RecordChanges } from './configuration-store.ts'
import { pairOf } from './merge-records.ts'

/**
 * Records by key, and by what only one of a workspace may have: a name, the ends of a connection, an external id. A draft
 * of an index has its changes on top and copies nothing, so that planning a change costs what the change has.
 */
export class RecordIndex {
  readonly #below: RecordIndex | undefined
  /** Undefined in a draft: removed. */
  readonly #byKey = new Map<string, ConfigurationRecord | undefined>()
  readonly #owners = new Map<string, string | undefined>()
  readonly #counts = new Map<string, number>()

  constructor(records: readonly ConfigurationRecord[] = [], below?: RecordIndex) {
    this.#below = below
    for (const record of records) this.put(record)
  }

  /** Returns an index that begins with the same records; changes of it leave this one as it is, which must not change. */
  draft(): RecordIndex {
    return new RecordIndex([], this)
  }

  get(key: RecordKey): ConfigurationRecord | undefined {
    return this.#find(keyText(key))
  }

  /** All records, in order of creation. */
  records(): readonly ConfigurationRecord[] {
    const below = (this.#below?.records() ?? []).flatMap((record) => {
      const text = keyText(record)
      return this.#byKey.has(text) ? (this.#byKey.get(text) ?? []) : record
    })
    const own = [...this.#byKey].filter(([text]) => this.#findBelow(text) === undefined)
    return [...below, ...own.flatMap(([, record]) => record ?? [])]
  }

  /** The records of a kind in a workspace, in order of creation. */
  ofKind(workspaceId: string, kind: RecordKind): readonly ConfigurationRecord[] {
    return this.records().filter((record) => record.kind === kind && record.workspaceId === workspaceId)
  }

  /** Number of records of a workspace. */
  count(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? this.#below?.count(workspaceId) ?? 0
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
    const text = keyText(record)
    const before = this.#find(text)
    if (before) for (const claim of claims(before)) this.#release(claim)
    else this.#counts.set(record.workspaceId, this.count(record.workspaceId) + 1)
    this.#byKey.set(text, record)
    for (const claim of claims(record)) this.#owners.set(claim, text)
  }

  remove(key: RecordKey): void {
    const text = keyText(key)
    const before = this.#find(text)
    if (before === undefined) return
    for (const claim of claims(before)) this.#release(claim)
    this.#counts.set(key.workspaceId, this.count(key.workspaceId) - 1)
    if (this.#below === undefined) this.#byKey.delete(text)
    else this.#byKey.set(text, undefined)
  }

  /** Applies changes that were stored. */
  apply({ put = [], remove = [] }: RecordChanges): void {
    for (const key of remove) this.remove(key)
    for (const record of put) this.put(record)
  }

  #find(text: string): ConfigurationRecord | undefined {
    return this.#byKey.has(text) ? this.#byKey.get(text) : this.#findBelow(text)
  }

  #findBelow(text: string): ConfigurationRecord | undefined {
    return this.#below === undefined ? undefined : this.#below.#find(text)
  }

  #release(claim: string): void {
    if (this.#below === undefined) this.#owners.delete(claim)
    else this.#owners.set(claim, undefined)
  }

  #ownerOf(claim: string): string | undefined {
    if (this.#owners.has(claim)) return this.#owners.get(claim)
    return this.#below === undefined ? undefined : this.#below.#ownerOf(claim)
  }

  #other(key: RecordKey, claim: string): ConfigurationRecord | undefined {
    const owner = this.#ownerOf(claim)
    return owner === undefined || owner === keyText(key) ? undefined : this.#find(owner)
  }
}

function claims(record: ConfigurationRecord): readonly string[] {
  const name = nameText(record, record.body)
  const external = record.externalId === undefined ? [] : [externalText(record, record.externalId)]
  return [...(name === undefined ? [] : [name]), ...external]
}

function nameText({ workspaceId, kind }: RecordKey, body: JsonObject): string | undefined {
  if (kind === 'token' || kind === 'category' || kind === 'customType' || kind === 'query')
    return JSON.stringify([workspaceId, kind, 'name', body['name']])
  if (kind === 'event') return JSON.stringify([workspaceId, kind, 'name', body['eventType'], body['name']])
  return kind === 'connection' ? JSON.stringify([workspaceId, kind, 'name', pairOf(body)]) : undefined
}

function externalText({ workspaceId, kind }: RecordKey, externalId: string): string {
  return JSON.stringify([workspaceId, kind, 'external', externalId])
}
