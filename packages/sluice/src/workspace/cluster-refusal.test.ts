import { type DestinationDefinition, oauth2, webhook } from '@sluice/destinations'
import { expect, it } from 'vitest'
import { clusterRefusal } from './cluster-refusal.ts'
import { registryWith } from './known-destinations.ts'

/** A product with an account whose refresh tokens are used once, or for ever. */
function product(type: string, rotates: boolean): DestinationDefinition {
  const settings = { clientId: 'id', clientSecret: 'secret', refreshToken: 'refresh' }
  const account = oauth2({ tokenEndpoint: 'https://login.test/token', grant: 'refresh_token', settings, rotates })
  return { ...webhook, type, account }
}

const registry = registryWith([product('ROTATING', true), product('STEADY', false)])

const refusalOf = (type: string): string | undefined => {
  const definition = registry.get(type)
  if (definition === undefined) throw new Error(`there is no type ${type}`)
  return clusterRefusal(definition, {})
}

it('refuses what each process would have for itself, and says why', () => {
  expect(refusalOf('FILE')).toContain('a file of its own')
  expect(refusalOf('CONSOLE')).toBeDefined()
})

it('refuses accounts whose refresh tokens are used once, and no others', () => {
  expect(refusalOf('ROTATING')).toContain('lock each other out')
  expect([refusalOf('STEADY'), refusalOf('WEBHOOK')]).toEqual([undefined, undefined])
})
