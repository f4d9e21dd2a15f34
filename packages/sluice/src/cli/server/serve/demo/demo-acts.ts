import { demoChanges } from './demo-changes.ts'
import { demoCode } from './demo-code.ts'
import type { DemoPeople } from './demo-workspace.ts'

/** Calls the API as one of the people of the demonstration. @returns what a GET answered. */
export type DemoCall = (
  who: keyof DemoPeople,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
) => Promise<Readonly<Record<string, unknown>>>

/** Something that happens in the day, so many hours before its end. */
interface DemoAct {
  readonly hoursAgo: number
  do(call: DemoCall): Promise<unknown>
}

/** Hours before the end at which the new release of the mobile app comes, and at which the CRM stops to answer. */
export const newAppHoursAgo = 7
export const crmDownHoursAgo = 0.9

const { maskOrders, onlyBuyers, pii } = demoCode
const save = (code: string, more: object) => ({ publish: true, code, ...more })
const publishAgain: (who: keyof DemoPeople, code: string) => DemoAct['do'] = (who, code) => async (call) => {
  const { transformations } = await call(who, 'GET', '/transformations')
  const found = (transformations as readonly { id: string; name: string }[]).find(({ name }) => name === 'mask orders')
  return call(who, 'POST', `/transformations/${found?.id}`, save(code, {}))
}

/**
 * What people do in the day, in order: destinations that are set up, code that is published, goes wrong and is mended, a
 * pause, a deletion.
 */
export const demoActs = (hasWarehouse: boolean): readonly DemoAct[] => [
  {
    hoursAgo: 24,
    do: async (call) => {
      await call('kim', 'POST', '/v2/configuration', { changes: demoChanges(hasWarehouse) })
      await call('release bot', 'POST', '/libraries', save(pii, { name: 'pii' }))
      await call(
        'release bot',
        'POST',
        '/transformations',
        save(maskOrders.first, { name: 'mask orders', destinationIds: ['orders'] }),
      )
      await call(
        'release bot',
        'POST',
        '/transformations',
        save(onlyBuyers, { name: 'only buyers', destinationIds: ['crm'] }),
      )
    },
  },
  { hoursAgo: 6, do: publishAgain('kim', maskOrders.broken) },
  { hoursAgo: 5.2, do: publishAgain('kim', maskOrders.first) },
  { hoursAgo: 4.5, do: publishAgain('kim', maskOrders.mended) },
  {
    hoursAgo: 3,
    do: (call) =>
      call('privacy office', 'POST', '/v2/regulations', {
        regulationType: 'suppress_with_delete',
        users: [11, 42].map((n) => ({
          userId: `user-${String(n).padStart(3, '0')}`,
          email: `linus.${n}@mail.invalid`,
        })),
      }),
  },
  { hoursAgo: 2.2, do: (call) => call('kim', 'POST', '/v2/destinations/analytics/pause') },
  { hoursAgo: 2.1, do: (call) => call('kim', 'POST', '/v2/destinations/analytics/resume') },
]
