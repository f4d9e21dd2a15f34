import type { Clock } from '@sluice/core'
import { presentCaller } from '@sluice/http'
import type { Change, ChangeLog } from '@sluice/pipeline'

/** What happened; who did it, by which call and when is added. */
export type ChangeFact = Pick<Change, 'kind' | 'subject' | 'text' | 'before' | 'after' | 'ref'>

/** Writes changes into the change log. A change is made already when it is noted, so a failure is only reported. */
export interface ChangeNotes {
  note(workspaceId: string, facts: readonly ChangeFact[], who?: string): Promise<void>
}

/** Most changes that are noted one by one. The rest of a large change is noted as a number. */
const notedMax = 50
/** Longest text of a member; names and user names have lower limits, except in a workspace file. */
const charactersMax = { text: 400, name: 100, value: 200 }
/** Who changes something without a call: the program that embeds the server. */
const program = 'the program'

export function createChangeNotes({
  log,
  clock,
  onError,
}: {
  readonly log: Pick<ChangeLog, 'add'>
  readonly clock: Clock
  onError(error: unknown): void
}): ChangeNotes {
  return {
    async note(workspaceId, facts, who) {
      if (facts.length === 0) return
      const caller = presentCaller()
      const members = {
        workspaceId,
        at: clock.now(),
        who: who ?? caller?.who ?? program,
        ...(caller === undefined || who !== undefined ? {} : { call: caller.call }),
      }
      const shown = facts.length > notedMax ? [...facts.slice(0, notedMax), restOf(workspaceId, facts)] : facts
      const changes = shown.map(
        ({ subject, text, before, after, ref, kind }): Change => ({
          ...members,
          kind,
          subject: { ...subject, name: cut(subject.name, charactersMax.name) },
          text: cut(text, charactersMax.text),
          ...(before === undefined ? {} : { before: cut(before, charactersMax.value) }),
          ...(after === undefined ? {} : { after: cut(after, charactersMax.value) }),
          ...(ref === undefined ? {} : { ref }),
        }),
      )
      await log.add(changes).catch(onError)
    },
  }
}

function restOf(workspaceId: string, facts: readonly ChangeFact[]): ChangeFact {
  const more = facts.length - notedMax
  return {
    kind: 'changed',
    subject: { kind: 'workspace', id: workspaceId, name: workspaceId },
    text: `changed ${more} more part${more === 1 ? '' : 's'} of the workspace in the same call`,
  }
}

/** Cuts a text, and replaces half of a surrogate pair that the cut leaves, so that every store can keep it. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${Buffer.from(text.slice(0, lengthMax - 1)).toString()}…`
}
