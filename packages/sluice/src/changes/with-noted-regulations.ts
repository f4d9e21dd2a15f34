import type { Deletions, Regulations } from '@sluice/regulation'
import type { ChangeNotes } from './change-notes.ts'
import type { NameOf } from './record-facts.ts'

/** Returns regulations that note how many are created and cancelled, and never of whom. */
export function withNotedRegulations(regulations: Regulations, notes: ChangeNotes): Regulations {
  return {
    ...regulations,
    async create(workspaceId, request) {
      const created = await regulations.create(workspaceId, request)
      const [first, ...more] = created
      if (first === undefined) return created
      const users = more.length === 0 ? 'one user' : `${created.length} users`
      const isDeletion = request.regulationType === 'suppress_with_delete'
      const subject = { kind: 'regulation', id: more.length === 0 ? first.id : '', name: users }
      const text = `suppressed the events of ${users}${isDeletion ? ', and ordered the deletion of what is stored' : ''}`
      await notes.note(workspaceId, [{ kind: 'created', subject, text }])
      return created
    },
    async cancel(workspaceId, id) {
      const before = await regulations.find(workspaceId, id)
      const isKnown = await regulations.cancel(workspaceId, id)
      if (isKnown && before?.canceled === false) {
        const subject = { kind: 'regulation', id, name: 'one user' }
        await notes.note(workspaceId, [{ kind: 'cancelled', subject, text: 'cancelled the regulation of one user' }])
      }
      return isKnown
    },
  }
}

/** Returns deletions that note what people have done by hand or had tried, and never of whom. */
export function withNotedDeletions(
  deletions: Deletions,
  notes: ChangeNotes,
  nameIn: (workspaceId: string) => NameOf,
): Deletions {
  return {
    ...deletions,
    async doneByHand(workspaceId, regulationId, done) {
      const isDone = await deletions.doneByHand(workspaceId, regulationId, done)
      const name = nameIn(workspaceId)('destination', done.destinationId)
      const text = `deleted one user at destination ${name} by hand`
      const subject = { kind: 'regulation', id: regulationId, name: 'one user' }
      if (isDone) await notes.note(workspaceId, [{ kind: 'doneByHand', subject, text }])
      return isDone
    },
    async tryNow(workspaceId, regulationId, destinationId) {
      const isTried = await deletions.tryNow(workspaceId, regulationId, destinationId)
      const name = nameIn(workspaceId)('destination', destinationId)
      const subject = { kind: 'regulation', id: regulationId, name: 'one user' }
      if (isTried)
        await notes.note(workspaceId, [
          { kind: 'tried', subject, text: `tried the deletion of one user at destination ${name} again` },
        ])
      return isTried
    },
  }
}
