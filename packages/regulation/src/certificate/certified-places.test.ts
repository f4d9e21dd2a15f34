import { describe, expect, it } from 'vitest'
import { byHandReason, type DeletionJob, ownData } from '../deletion/deletion-job.ts'
import { certifiedPlaces } from './certified-places.ts'

const attributes = { userId: 'Kim 4711', email: 'kim@mail.test', note: 'say "hi"' }
const jobOf = (more: Partial<DeletionJob>): DeletionJob => ({
  id: 'j',
  workspaceId: 'w',
  regulationId: 'r',
  destinationId: 'crm',
  attributes,
  status: 'aborted',
  attempts: 1,
  dueAt: 0,
  updatedAt: 0,
  ...more,
})
const crm = { id: 'crm', name: 'CRM', type: 'HS', searchedBy: ['email'] }
const placeOf = (more: Partial<DeletionJob>, destinationIds: readonly string[] = [], count = 0) =>
  certifiedPlaces({ attributes, destinationIds }, [jobOf(more)], [crm], ['email', 'userId'], {
    searched: [{ where: 'receipts', count }],
  })

const leftOut = expect.stringMatching(/^left out, because it contains an id/)

describe('a place of a certificate', () => {
  it.each([
    ['it answered 404: no kim@mail.test', leftOut],
    ['it answered 404: no KIM@MAIL.TEST', leftOut],
    ['https://crm.test/users/Kim%204711 was not found', leftOut],
    ['https://crm.test/?email=kim%40mail.test', leftOut],
    ['{"note":"say \\"hi\\""}', leftOut],
    ['it answered 404', 'it answered 404'],
  ])('has no text of a destination that repeats an id: %s', (reason, shown) => {
    expect(placeOf({ reason })[0]).toMatchObject({ status: 'aborted', reason: shown })
    expect(placeOf({ reason, status: 'complete' })[0]).toMatchObject({ status: 'complete', deleted: shown })
  })

  it('says how it was searched only where it was searched', () => {
    expect(placeOf({ status: 'complete' })[0]).toMatchObject({ name: 'CRM', searched_by: ['email'] })
    expect(placeOf({ reason: 'destination not supported: x' })[0]).toMatchObject({
      status: 'not_supported',
      searched_by: [],
    })
  })

  it('is not called searched where a person has done it, and says so, also when their note is left out', () => {
    const place = (note: string) => placeOf({ status: 'complete', reason: byHandReason('ada@shop.test', note) })[0]
    expect(place('Asked Bob.')).toMatchObject({
      status: 'done_by_hand',
      searched_by: [],
      reason: 'done by a person, ada@shop.test: Asked Bob.',
    })
    expect(place('Removed kim@mail.test.')).toMatchObject({
      status: 'done_by_hand',
      reason: expect.stringMatching(/^done by a person; the note is left out, because it contains an id/),
    })
  })

  it('is not complete when something is found there again', () => {
    const receipts = (more: Partial<DeletionJob>, count: number) =>
      placeOf({ destinationId: ownData, ...more }, [], count).find(({ name }) => name === 'receipts')
    expect(receipts({ status: 'complete' }, 0)).toMatchObject({ status: 'complete' })
    expect(receipts({ status: 'complete' }, 2)).toMatchObject({
      status: 'found',
      reason: '2 found when the certificate was made',
    })
    expect(receipts({ reason: 'given up' }, 2)).toMatchObject({ status: 'aborted', reason: 'given up' })
  })

  it('is in the certificate when the destination is gone, and when the regulation did not name it', () => {
    const places = placeOf({ destinationId: 'gone', reason: 'destination is gone' }, ['gone'])
    expect(places).toEqual([
      {
        name: 'gone',
        destination_id: 'gone',
        searched_by: [],
        status: 'aborted',
        reason: 'destination is gone',
        ended_time: '1970-01-01T00:00:00.000Z',
      },
      expect.objectContaining({ destination_id: 'crm', status: 'not_requested' }),
    ])
  })
})
