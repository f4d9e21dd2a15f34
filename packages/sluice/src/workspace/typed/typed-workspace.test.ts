import type { WorkspaceSchema } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import { type DestinationFamily, defineDestination, field } from '@sluice/destinations'
import { type Static, Type } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createSluice } from '../../create-sluice.ts'
import { parseWorkspace, readWorkspaceFile } from '../text/read-workspace-file.ts'
import { defineWorkspace } from './define-workspace.ts'
import type { NativeSettings } from './native-settings.ts'
import type {
  AccessTokenDefinition,
  ConnectionDefinition,
  SourceDefinition,
  WorkspaceDefinition,
} from './workspace-definition.ts'

// `tsc -p test` checks the lines here; those behind `@ts-expect-error` must not compile.

const web = { id: 'web', writeKey: 'web-key' } as const
const hook = { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'https://hook.test/in' } } as const
const acme = defineDestination({
  type: 'ACME',
  displayName: 'Acme',
  supports: ['track'],
  settings: Type.Object({
    apiKey: field.requiredText({ title: 'Key', description: 'Key of the account.' }),
    isTest: field.flag({ title: 'Test', description: 'Whether it is a test.' }),
  }),
  secrets: ['apiKey'],
  requests: (_event, { apiKey }) => (apiKey === '' ? [] : []),
  examples: [],
})
const acmeEntry = { id: 'acme', type: 'ACME', settings: { apiKey: 'k' } } as const
declare const ids: readonly string[]
declare const segment: { readonly prefix: 'segment/' } & DestinationFamily

describe('the types of a workspace', () => {
  it('accept what is right, and return it as it is', () => {
    const workspace = defineWorkspace({
      id: 'shop',
      sources: [web, { id: 'app', writeKey: 'app-key', observe: { detectors: ['email'] } }],
      destinations: [
        hook,
        { id: 'log', type: 'CONSOLE' },
        {
          id: 'lake',
          type: 'S3_DATALAKE',
          settings: { bucketName: 'lake', region: 'eu-west-1', accessKeyID: 'id', accessKey: 'key' },
        },
      ],
      connections: [
        { source: 'web', destination: 'hook' },
        { source: 'app', destination: 'log' },
      ],
    })
    expect(workspace.destinations.map(({ type }) => type)).toEqual(['WEBHOOK', 'CONSOLE', 'S3_DATALAKE'])
    expectTypeOf(workspace).toExtend<WorkspaceDefinition<'web' | 'app', 'hook' | 'log' | 'lake'>>()
  })

  it('have the members of the form that is checked when it runs', () => {
    type Form = Static<typeof WorkspaceSchema>
    expectTypeOf<keyof WorkspaceDefinition>().toEqualTypeOf<keyof Form>()
    expectTypeOf<SourceDefinition>().toEqualTypeOf<Readonlys<Form['sources'][number]>>()
    expectTypeOf<AccessTokenDefinition>().toEqualTypeOf<Readonlys<NonNullable<Form['accessTokens']>[number]>>()
    expectTypeOf<keyof ConnectionDefinition>().toEqualTypeOf<keyof Form['connections'][number]>()
    expectTypeOf<keyof WorkspaceDefinition['destinations'][number]>().toEqualTypeOf<
      keyof Form['destinations'][number]
    >()
    expectTypeOf<NativeSettings['WEBHOOK']['webhookMethod']>().toEqualTypeOf<
      'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE' | `{{${string}}}` | undefined
    >()
  })
})

// The compiler judges them; nothing runs.
void [right, wrong]

/** Lines that compile. */
function right(): void {
  // A setting that each event decides.
  createSluice({ workspace: of({ ...hook, settings: { ...hook.settings, webhookMethod: '{{ method || "PUT" }}' } }) })
  // Ids that are computed.
  createSluice({
    workspace: {
      id: 'shop',
      sources: [web],
      destinations: ids.map((id) => ({ ...hook, id })),
      connections: ids.map((destination) => ({ source: 'web', destination })),
    },
  })
  // Types of one's own, and of a family.
  createSluice({
    destinations: [acme, segment],
    workspace: {
      id: 'shop',
      sources: [web],
      destinations: [acmeEntry, hook, { id: 'crm', type: 'segment/hubspot', settings: { any: ['thing'] } }],
      connections: [{ source: 'web', destination: 'acme' }],
    },
  })
  createSluice({ workspace: defineWorkspace({ id: 'w', sources: [], destinations: [], connections: [] }) })
  createSluice({ workspace: { workspaces: [{ id: 'w', sources: [web], destinations: [hook], connections: [] }] } })
  parseWorkspace('{}').then((workspace) => createSluice({ workspace }))
  readWorkspaceFile('workspace.yaml').then((file) => createSluice(file))
}

/** Lines that do not compile. */
function wrong(): void {
  const base = { id: 'shop', sources: [web], connections: [] } as const
  // @ts-expect-error a misspelt type
  createSluice({ workspace: { ...base, destinations: [{ ...hook, type: 'WEBHOK' }] } })
  // @ts-expect-error a misspelt setting
  createSluice({ workspace: { ...base, destinations: [{ id: 'a', type: 'WEBHOOK', settings: { webhokUrl: '' } }] } })
  const misplaced = { webhookUrl: '', apiKey: '' }
  // @ts-expect-error a setting that only other types have
  createSluice({ workspace: of({ id: 'a', type: 'WEBHOOK', settings: { ...misplaced, apiKey: '' } }) })
  // @ts-expect-error a value that is none of the choices
  createSluice({ workspace: of({ ...hook, settings: { webhookUrl: '', webhookMethod: 'PATHC' } }) })
  // @ts-expect-error a value of another kind
  createSluice({ workspace: of({ ...hook, settings: { webhookUrl: 7 } }) })
  // @ts-expect-error a setting that no event may decide
  createSluice({ workspace: of({ ...hook, settings: { webhookUrl: '', allowEventAddress: '{{ a || "b" }}' } }) })
  // @ts-expect-error settings that are missing
  createSluice({ workspace: of({ id: 'hook', type: 'WEBHOOK' }) })
  // @ts-expect-error an unknown source
  defineWorkspace({ ...base, destinations: [hook], connections: [{ source: 'wbe', destination: 'hook' }] })
  // @ts-expect-error an unknown destination
  defineWorkspace({ ...base, destinations: [hook], connections: [{ source: 'web', destination: 'hok' }] })
  // @ts-expect-error a type whose definition is not passed
  createSluice({ workspace: { ...base, destinations: [acmeEntry] } })
  const own = { ...base, destinations: [{ id: 'acme', type: 'ACME', settings: { apKey: 'k' } }] } as const
  // @ts-expect-error a misspelt setting of one's own type
  createSluice({ destinations: [acme], workspace: own })
  // @ts-expect-error a member that no workspace has
  createSluice({ workspace: { ...base, destinations: [hook], sinks: [] } })
  // @ts-expect-error JSON from outside: parseWorkspace checks it
  createSluice({ workspace: JSON.parse('{}') as JsonObject })
}

/** A workspace with one destination. */
function of(destination: WorkspaceDefinition['destinations'][number]): WorkspaceDefinition {
  return { id: 'shop', sources: [web], destinations: [destination], connections: [] }
}

type Readonlys<T> = unknown extends T
  ? T
  : T extends string | number | boolean | undefined
    ? T
    : T extends (infer Item)[]
      ? readonly Readonlys<Item>[]
      : { readonly [Key in keyof T]: Readonlys<T[Key]> }
