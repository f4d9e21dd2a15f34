import { isDeletionOver } from '@sluice/regulation'
import { until } from '../support/eventually.ts'
import type { StudioServer } from './studio-server.ts'

/** Deletes a user, and returns the id of the regulation once nothing more is done. */
export async function deletedUser({ sluice }: StudioServer, userId: string): Promise<string> {
  const users = [{ userId, email: `${userId}@shop.test` }]
  const [regulation] = await sluice.regulations.create('shop', { regulationType: 'suppress_with_delete', users })
  const id = regulation?.id ?? ''
  await until(async () => (await sluice.deletions.ofRegulation('shop', id)).every(isDeletionOver))
  return id
}
