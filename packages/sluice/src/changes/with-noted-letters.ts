import type { DeadLetterChoice, DeadLetters, Engine, ReplayJobs } from '@sluice/pipeline'
import type { ChangeFact, ChangeNotes } from './change-notes.ts'
import type { NameOf } from './record-facts.ts'

/** Replays of events of the log. */
export interface LogReplays {
  readonly log: Engine['replays']['log']
}

type NameIn = (workspaceId: string) => NameOf

/** Returns dead letters that note what people replay and remove. */
export function withNotedLetters(deadLetters: DeadLetters, notes: ChangeNotes, nameIn: NameIn): DeadLetters {
  return {
    ...deadLetters,
    async replay(workspaceId, which) {
      const count = await deadLetters.replay(workspaceId, which)
      const { subject, of } = chosen(workspaceId, which, nameIn)
      if (count > 0)
        await notes.note(workspaceId, [{ kind: 'replayed', subject, text: `sent ${letters(count)}${of} again` }])
      return count
    },
    async replaySince(workspaceId, query) {
      const step = await deadLetters.replaySince(workspaceId, query)
      if (query.dryRun || query.after !== undefined) return step
      await notes.note(workspaceId, [replayFact('dead letters', query.destinationId, nameIn(workspaceId))])
      return step
    },
    async remove(workspaceId, which) {
      const count = await deadLetters.remove(workspaceId, which)
      const { subject, of } = chosen(workspaceId, which, nameIn)
      if (count > 0)
        await notes.note(workspaceId, [{ kind: 'removed', subject, text: `removed ${letters(count)}${of}` }])
      return count
    },
  }
}

/** Returns jobs that note when people start them. */
export function withNotedJobs(jobs: ReplayJobs, notes: ChangeNotes, nameIn: NameIn): ReplayJobs {
  return {
    ...jobs,
    async start(workspaceId, which) {
      const job = await jobs.start(workspaceId, which)
      const { subject, of } = chosen(workspaceId, which, nameIn)
      if (job) {
        const text = `began to send ${letters(job.total)}${of} again`
        await notes.note(workspaceId, [{ kind: 'replayed', subject, text }])
      }
      return job
    },
  }
}

/** Returns replays of the log that note their first step. */
export function withNotedReplays(replays: Engine['replays'], notes: ChangeNotes, nameIn: NameIn): LogReplays {
  return {
    async log(workspaceId, query) {
      const step = await replays.log(workspaceId, query)
      if (step === undefined || step.isBusy || query.dryRun || query.after > 0) return step
      await notes.note(workspaceId, [replayFact('events of the log', query.destinationId, nameIn(workspaceId))])
      return step
    },
  }
}

function replayFact(what: string, destinationId: string, nameOf: NameOf): ChangeFact {
  const name = nameOf('destination', destinationId)
  const subject = { kind: 'destination', id: destinationId, name }
  return { kind: 'replayed', subject, text: `began to send ${what} to destination ${name} again` }
}

/** What a choice of letters is about. */
function chosen(workspaceId: string, which: DeadLetterChoice, nameIn: NameIn) {
  const id = 'ids' in which ? undefined : which.destinationId
  if (id === undefined)
    return { subject: { kind: 'deadLetters', id: workspaceId, name: 'failed events' }, of: '' } as const
  const name = nameIn(workspaceId)('destination', id)
  return { subject: { kind: 'destination', id, name }, of: ` of destination ${name}` } as const
}

function letters(count: number): string {
  return count === 1 ? 'one failed event' : `${count} failed events`
}
