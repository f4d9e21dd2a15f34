import type { ConfigurationRecord, ConfigurationStore, RecordKey } from '@sluice/configuration'

export function createMemoryConfigurationStore(requireOpen: () => void): ConfigurationStore {
  let revision = 0
  const records = new Map<string, ConfigurationRecord>()
  return {
    read: async () => {
      requireOpen()
      return { revision, records: structuredClone([...records.values()]) }
    },
    revision: async () => {
      requireOpen()
      return revision
    },
    commit: async ({ put = [], remove = [] }, basedOn) => {
      requireOpen()
      if (basedOn !== revision) return undefined
      for (const key of remove) records.delete(textOf(key))
      for (const record of put) records.set(textOf(record), structuredClone(record))
      revision += 1
      return revision
    },
  }
}

function textOf({ workspaceId, kind, id }: RecordKey): string {
  return JSON.stringify([workspaceId, kind, id])
}
