import type { Page } from '../pages/page.ts'
import { isErrorCode, sectionOf } from './error-page.ts'
import { inlineCode, markdownTable, plainText } from './markdown.ts'
import { type Schema, schemaRows, typeOf } from './schema-rows.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

/** The parts of an OpenAPI document that pages show. */
export interface OpenapiDocument {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
  }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Returns a page for each area of the HTTP API, and one that lists all routes. */
export function httpPages(document: OpenapiDocument): readonly Page[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ method: method.toUpperCase(), path, operation })),
  )
  const areas = document.tags.map(({ name }) => ({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    routes: routes.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const lists = areas.map(({ name, slug, routes: own }) => {
    const rows = own.map((route) => [
      `[${inlineCode(headingOf(route))}](./${slug}.md#${anchorOf(route)})`,
      plainText(route.operation.summary),
    ])
    return `## ${name}\n\n${markdownTable(['route', 'what it does'], rows)}`
  })
  const intro =
    '`GET /openapi.json` of a running server has all of this as an OpenAPI 3.1 document, for clients and tools. The pages of [the APIs](../../api/access.md) explain them with examples; [the error codes](../errors.md) say what to do.'
  return [
    { path: 'reference/http/index', text: `# HTTP routes\n\n${intro}\n\n${lists.join('\n\n')}\n` },
    ...areas.map(({ name, slug, routes: own }) => ({
      path: `reference/http/${slug}`,
      text: `# ${name}\n\n${own.map((route) => routeSection(route, document)).join('\n\n')}\n`,
    })),
  ]
}

function headingOf({ method, path }: Route): string {
  return `${method} ${path}`
}

/** Returns the anchor of a route, which is stated: derived from the heading, those of some routes would be the same. */
function anchorOf({ operation }: Route): string {
  return operation.operationId.toLowerCase()
}

function routeSection(route: Route, { components }: OpenapiDocument): string {
  const { summary, description, security, parameters = [], requestBody, responses } = route.operation
  const credentials = security.flatMap((each) => Object.keys(each)).map((each) => components.securitySchemes[each])
  const access = [...new Set(credentials.flatMap((each) => each?.description ?? []))]
  const parts = [
    `## ${inlineCode(headingOf(route))} {#${anchorOf(route)}}`,
    `${plainText(summary)}.`,
    `Credential: ${access.length === 0 ? (security.length === 0 ? 'none.' : 'the write key, in the path or the body.') : access.map(uncapitalized).join(' or ')}${
      description === undefined ? '' : ` ${plainText(description)}`
    }`.replaceAll('. or ', ' or '),
  ]
  if (parameters.length > 0)
    parts.push(
      markdownTable(
        ['parameter', 'in', 'type', 'meaning'],
        parameters.map(({ name, in: place, required, schema }) => [
          inlineCode(name),
          place,
          typeOf(schema),
          `${required ? '' : 'Optional. '}${plainText(schema.description ?? '')}`.trim(),
        ]),
      ),
    )
  const body = requestBody?.content?.['application/json']?.schema
  if (body) parts.push('**Body**', ...membersOf(body))
  for (const [status, { description: meaning, content }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue
    const [[type = '', { schema = undefined } = {}] = []] = Object.entries(content ?? {})
    parts.push(`**${status}** ${plainText(meaning)}${type === '' ? '' : ` (${inlineCode(type)})`}`)
    if (schema && type === 'application/json') parts.push(...membersOf(schema))
  }
  const refusals = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  if (refusals.length > 0)
    parts.push(
      markdownTable(
        ['status', 'answer'],
        refusals.map(([status, { description: meaning }]) => [status, linkedCodes(meaning)]),
      ),
    )
  return parts.join('\n\n')
}

function membersOf(schema: Schema): readonly string[] {
  const rows = schemaRows(schema)
  const own = plainText(schema.description ?? '')
  if (rows.length === 0) return [`${typeOf(schema)}${own === '' ? '' : `: ${own}`}`]
  return [markdownTable(['member', 'type', 'meaning'], rows)]
}

/** Makes each error code at the start of a sentence a link to its entry. */
function linkedCodes(text: string): string {
  return plainText(text).replaceAll(/`([a-zA-Z]+)`: /g, (text, code: string) =>
    isErrorCode(code) ? `[\`${code}\`](../../${sectionOf(code)}): ` : text,
  )
}

function uncapitalized(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}
