import { identifierText, type JsonObject } from '@sluice/core'
import { isMappingError, type KeptLinesRule } from '@sluice/destinations/kit'
import type { EraseLines } from '../transport/erasure/line-erasure.ts'
import type { UserErasure } from '../transport/erasure/user-erasure.ts'
import type { ErasureProgress } from './api-eraser.ts'

export interface LineEraserOptions {
  readonly rule: KeptLinesRule
  /** Complete settings, as returned by `parseSettings`. */
  readonly settings: JsonObject
  readonly eraseLines: EraseLines
}

/** Users per pass. Each pass reads everything that the sink keeps. */
const usersMax = 1_000

/** Creates a function that deletes users from the lines that a sink keeps. */
export function createLineEraser({ rule, settings, eraseLines }: LineEraserOptions) {
  return {
    usersMax,
    async erase(
      users: readonly JsonObject[],
      signal: AbortSignal,
      progress?: ErasureProgress,
    ): Promise<readonly UserErasure[]> {
      const place = rule.place(settings)
      if (isMappingError(place)) return users.map(() => ({ status: 'aborted', reason: place.message }))
      const marks = new Map<string, string>()
      for (const [index, { userId }] of users.entries()) {
        const id = identifierText(userId)
        const mark = progress?.marks[index] ?? ''
        // A user listed twice with different marks is searched from the beginning.
        marks.set(id, (marks.get(id) ?? mark) === mark ? mark : '')
      }
      const reached = async (mark: string): Promise<void> => progress?.reached(mark)
      const { notes, ...erasure } = await eraseLines({ place, userIdAt: rule.userIdAt, users: marks, reached, signal })
      return users.map(({ userId }) => {
        const note = notes?.get(identifierText(userId))
        return note === undefined || erasure.status !== 'complete' ? erasure : { ...erasure, note }
      })
    },
  }
}
