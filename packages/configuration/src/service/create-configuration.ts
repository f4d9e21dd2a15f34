import { createKeyedQueue, isJsonObject } from '@sluice/core'
import { isAsideKind } from '../records/configuration-record.ts'
import type { Configuration } from './configuration.ts'
import { done, refused } from './configuration-error.ts'
import type { ConfigurationParts } from './configuration-parts.ts'
import { createChange } from './create-change.ts'
import { CurrentConfiguration } from './current-configuration.ts'
import { Entries, recordEntry } from './entries.ts'
import { newToken } from './new-token.ts'
import { newWriteKey } from './new-write-key.ts'

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { clock, random } = parts
  const current = new CurrentConfiguration(parts)
  const entries = new Entries(parts.destinations)
  const turns = createKeyedQueue()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => turns.run('', work)
  const change = createChange({ parts, current, entries, inTurn })

  return {
    list: (workspaceId, kind) =>
      isAsideKind(kind)
        ? current.records.ofKind(workspaceId, kind).map(recordEntry)
        : entries.list(current.effective, workspaceId, kind),
    find(workspaceId, kind, id) {
      if (!isAsideKind(kind)) return entries.find(current.effective, workspaceId, kind, id)
      const record = current.records.get({ workspaceId, kind, id })
      return record && recordEntry(record)
    },
    sentSettings(workspaceId, id) {
      const { settings } = current.records.get({ workspaceId, kind: 'destination', id })?.body ?? {}
      return isJsonObject(settings) ? settings : undefined
    },
    change,
    async createToken(workspaceId, { name, scopes }, options) {
      const { text: token, hash } = newToken(random)
      const body = { name, token: hash, scopes }
      const created = await change(workspaceId, [{ action: 'create', kind: 'token', body }], options)
      if (!created.ok) return created
      const [entry] = created.value
      return entry ? done({ entry, token }) : refused('recordUnknown', 'the workspace is gone')
    },
    async rotateWriteKey(workspaceId, sourceId, { validForMs, ifRevision, ...options }) {
      const source = entries.find(current.effective, workspaceId, 'source', sourceId)
      const { writeKey } = source?.body ?? {}
      const validUntil = new Date(clock.now() + validForMs).toISOString()
      const changed = await change(
        workspaceId,
        [
          {
            action: 'update',
            kind: 'source',
            id: sourceId,
            ifRevision,
            body: {
              writeKey: newWriteKey(random),
              formerWriteKey: validForMs > 0 && writeKey !== undefined ? { writeKey, validUntil } : null,
            },
          },
        ],
        options,
      )
      if (!changed.ok) return changed
      const [entry] = changed.value
      return entry ? done(entry) : refused('recordUnknown', `there is no source ${sourceId}`)
    },
    async setPaused(workspaceId, id, isPaused) {
      if (entries.find(current.effective, workspaceId, 'destination', id) === undefined)
        return refused('recordUnknown', `there is no destination ${id}`)
      const key = { kind: 'pause', id } as const
      const changed = await change(workspaceId, [
        isPaused ? { action: 'put', ...key, body: {} } : { action: 'delete', ...key },
      ])
      if (!changed.ok) return changed
      return done(current.records.get({ workspaceId, ...key })?.createdAt)
    },
    define: (definition, destinations) => inTurn(() => current.define(definition, destinations)),
    reload: () => inTurn(() => current.readAgain()),
  }
}
