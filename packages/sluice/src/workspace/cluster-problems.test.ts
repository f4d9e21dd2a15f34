import { type DestinationDefinition, oauth2, webhook } from '@sluice/destinations'
import { expect, it } from 'vitest'
import { clusterProblems } from './cluster-problems.ts'
import { registryWith } from './known-destinations.ts'

/** A product with an account whose refresh tokens are used once, or for ever. */
function product(type: string, rotates: boolean): DestinationDefinition {
  const settings = { clientId: 'id', clientSecret: 'secret', refreshToken: 'refresh' }
  const account = oauth2({ tokenEndpoint: 'https://login.test/token', grant: 'refresh_token', settings, rotates })
  return { ...webhook, type, account }
}

const registry = registryWith([product('ROTATING', true), product('STEADY', false)])

const problemsOf = (type: string) =>
  clusterProblems([{ id: 'shop', destinations: [{ id: 'd', type, settings: {} }] }], registry)

it('refuses what each process would have for itself, and says why', () => {
  expect(problemsOf('FILE')).toMatchObject([
    { path: 'destination shop/d', value: 'FILE', allowed: expect.stringContaining('a file of its own') },
  ])
  expect(problemsOf('CONSOLE')).toHaveLength(1)
})

it('refuses accounts whose refresh tokens are used once, and no others', () => {
  expect(problemsOf('ROTATING')).toMatchObject([
    { value: 'ROTATING', allowed: expect.stringContaining('lock each other out') },
  ])
  expect([...problemsOf('STEADY'), ...problemsOf('WEBHOOK')]).toEqual([])
})
