import { ownerOf, type SessionStore, type StoredSession, sessionsMax } from '@sluice/pipeline/store'

export function createMemorySessionStore(requireOpen: () => void): SessionStore {
  const sessions = new Map<string, StoredSession>()
  return {
    async put(key, session) {
      requireOpen()
      sessions.set(key, session)
      const owner = ownerOf(key)
      const own = [...sessions].filter(([each]) => each.startsWith(owner))
      const beyond = own.sort(([, a], [, b]) => b.endsAt - a.endsAt).slice(sessionsMax)
      for (const [each] of beyond) sessions.delete(each)
    },
    async find(key) {
      requireOpen()
      return sessions.get(key)
    },
    async take(key) {
      requireOpen()
      const session = sessions.get(key)
      sessions.delete(key)
      return session
    },
  }
}
