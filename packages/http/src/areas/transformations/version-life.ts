import type { ChangeLog } from '@sluice/pipeline'
import type { VersionedCode } from '@sluice/transformations'

/** When a version was live, and who published it last. Absent for what happened before changes were noted. */
export interface VersionLife {
  readonly publishedAt?: string
  readonly retiredAt?: string
  readonly publishedBy?: string
}

/** Finds the lives of versions of one record. */
export type FindLives = (workspaceId: string, id: string) => Promise<(code: VersionedCode) => VersionLife>

/** Publications of a record that are looked at, the newest ones. */
const publicationsMax = 1_000

/** Returns a function that reads the lives of versions from the change log. */
export function createFindLives(changeLog: Pick<ChangeLog, 'list'>): FindLives {
  return async (workspaceId, id) => {
    const [published, back] = await Promise.all(
      (['published', 'rolledBack'] as const).map((kind) =>
        changeLog.list(workspaceId, publicationsMax, { kind, subjectId: id }),
      ),
    )
    const oldestFirst = [...(published ?? []), ...(back ?? [])].sort((a, b) => a.id - b.id)
    const lives = new Map<string, VersionLife>()
    for (const [place, { ref = '', at, who }] of oldestFirst.entries()) {
      const next = oldestFirst[place + 1]
      const retired = next === undefined || next.ref === ref ? {} : { retiredAt: isoTime(next.at) }
      lives.set(ref, { publishedAt: isoTime(at), publishedBy: who, ...retired })
    }
    return ({ version: { versionId } }) => lives.get(versionId) ?? {}
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
