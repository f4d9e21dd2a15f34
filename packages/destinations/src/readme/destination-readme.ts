import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition, DestinationExample } from '../kit/define/define-destination.ts'
import type { DeletionExample } from '../kit/define/deletion.ts'
import type { DeliveryRequest } from '../kit/map/request/delivery-request.ts'
import { settingsList } from './settings-list.ts'

/** Returns the README of a destination in Markdown, generated from its definition. */
export function destinationReadme(definition: DestinationDefinition): string {
  const { type, displayName, supports, takesAnyType, matchesTypesExactly } = definition
  const sections = [
    `# ${displayName}`,
    `Type \`${type}\`. ${
      supports.length === 0
        ? 'Only deletes users; it does not accept events yet and drops all of them.'
        : takesAnyType
          ? 'Accepts events of all types, also of types that only user code gives.'
          : `Accepts ${listed(supports)}${matchesTypesExactly ? ', in lower case; other events' : '; events of other types'} are dropped.`
    }`,
    '<!-- Generated from the definition by `pnpm products`; edit the definition instead. -->',
    '## Settings',
    settingsList(definition),
    '## Limits',
    limitLines(definition).join('\n'),
    ...exampleSections(definition.examples),
    ...deletionSections(definition.deletion?.examples ?? []),
  ]
  return `${sections.join('\n\n')}\n`
}

function limitLines({ limits = [], batch, deletion, isTestable, supports }: DestinationDefinition): readonly string[] {
  const lines = [
    ...(batch || supports.length === 0 ? [] : ['Each request carries one event.']),
    ...limits,
    deletion ? deletionLine(deletion) : 'Users cannot be deleted.',
    ...(isTestable === false ? ['The Test API does not support it.'] : []),
  ]
  return lines.map((line) => `- ${line}`)
}

function deletionLine({ usersMax }: NonNullable<DestinationDefinition['deletion']>): string {
  const count = typeof usersMax === 'number' ? `, at most ${usersMax} per request` : ''
  return `Users can be deleted${count}.`
}

/** Returns the sections for the first example that sends something. */
function exampleSections(examples: readonly DestinationExample[]): readonly string[] {
  const example = examples.find((each) => 'requests' in each && each.requests.length > 0)
  if (example === undefined || !('requests' in example)) return []
  const { title, event, settings, requests } = example
  const [only, ...others] = requests.map(withoutEmptyParts)
  return [
    '## Example',
    `With these settings, ${title}:`,
    json({ settings, event }),
    others.length === 0 ? 'The destination sends this request:' : 'The destination sends these requests:',
    json(others.length === 0 ? only : [only, ...others]),
  ]
}

function deletionSections(examples: readonly DeletionExample[]): readonly string[] {
  const example = examples.find((each) => 'requests' in each)
  if (example === undefined || !('requests' in example)) return []
  const { title, users, settings, requests } = example
  const sent = requests.map(withoutEmptyParts)
  return [
    '## Deletion of users',
    `With these settings, ${title}:`,
    json({ settings, users }),
    sent.length === 1 ? 'The destination sends this request:' : 'The destination sends these requests:',
    json(sent.length === 1 ? sent[0] : sent),
  ]
}

/** Returns a request without its empty members. */
function withoutEmptyParts({ version: _, type: __, body, ...parts }: DeliveryRequest): object {
  return withoutEmpty({ ...parts, body: withoutEmpty({ ...body }) })
}

function withoutEmpty(value: object): object {
  const isFull = (part: unknown) => part !== '' && Object.keys(Object(part)).length > 0
  return Object.fromEntries(Object.entries(value).filter(([, part]) => isFull(part) || typeof part === 'number'))
}

function json(value: JsonObject | object | undefined): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
