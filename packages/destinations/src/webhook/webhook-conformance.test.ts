import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { type DestinationDefinition, isTypedEvent } from '../define-destination.ts'
import type { DeliveryRequest } from '../delivery-request.ts'
import { parseSettings } from '../parse-settings.ts'
import { publicDefinition } from '../public-definition.ts'
import { webhook } from './webhook.ts'

interface Destination {
  readonly Config: unknown
}

interface ProcessorRow {
  readonly id: string
  readonly event: { readonly message: Event; readonly destination: Destination }
  readonly expected: { readonly output: DeliveryRequest }
}

interface RouterRow {
  readonly id: string
  readonly input: { readonly body: { readonly input: readonly ProcessorRow['event'][] } }
  readonly output: { readonly body: { readonly output: readonly { readonly batchedRequest: DeliveryRequest }[] } }
}

const folder =
  process.env['SLUICE_CONFORMANCE'] ?? fileURLToPath(new URL('../../../../../shared/conformance', import.meta.url))
const present = existsSync(`${folder}/destinations/webhook.processor.json`)
if (!present) {
  process.stdout.write('webhook conformance skipped: no conformance data; set SLUICE_CONFORMANCE to its folder\n')
}

const read = <T>(path: string): T => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'))

function requestOf({ message, destination }: ProcessorRow['event']): unknown {
  const definition: DestinationDefinition = webhook
  const parsed = parseSettings(definition, destination.Config)
  if (!parsed.ok || !isTypedEvent(message)) throw new Error(JSON.stringify(parsed))
  return definition.requests(message, parsed.settings)
}

describe.skipIf(!present)('webhook conformance', () => {
  it('maps every processor row as recorded', () => {
    const rows = read<ProcessorRow[]>('destinations/webhook.processor.json')
    expect(rows.length).toBeGreaterThan(0)
    for (const { id, event, expected } of rows) expect(requestOf(event), id).toEqual(expected.output)
  })

  it('maps every event of the router rows as recorded', () => {
    for (const { id, input, output } of read<RouterRow[]>('destinations/webhook.router.json')) {
      const want = output.body.output.map((element) => element.batchedRequest)
      expect(input.body.input.map(requestOf), id).toEqual(want)
    }
  })

  it('tells the settings that the definition list names', () => {
    const told = publicDefinition(webhook)
    const listed = read<Record<string, Record<string, unknown>>>('definitions.json')['webhook']
    expect(listed).toMatchObject({ type: told.name, displayName: told.displayName })
    expect(listed).toMatchObject({ defaultConfig: told.defaultConfig, secretKeys: told.secretKeys })
  })
})
