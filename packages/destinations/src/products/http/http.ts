import { type JsonObject, type JsonValue, parseUrl, withoutTrailing } from '@sluice/core'
import type { Static } from 'typebox'
import {
  configurationError,
  convert,
  defineDestination,
  eachAlone,
  everyType,
  form,
  instrumentationError,
  isConnectionHeader,
  isMappingError,
  isSegment,
  json,
  jsonArray,
  type MappingError,
  pack,
  sameTarget,
  type TypedEvent,
  xml,
} from '../../kit/index.ts'
import { httpExamples } from './http-examples.ts'
import { httpSettings } from './http-settings.ts'
import { createTemplate, parseReader, type Reader, type Template } from './template.ts'
import { toXml } from './to-xml.ts'

type HttpSettings = Static<typeof httpSettings>

const packLists = pack({
  key: sameTarget,
  itemsMax: ({ maxBatchSize }) => Number(maxBatchSize),
  merge(items) {
    const [{ request }] = items
    const bodies = items.map((item) => item.request.body.JSON).filter((body) => Object.keys(body).length > 0)
    const { userId: _, ...batched } = jsonArray({ ...request, body: bodies })
    return batched
  },
})

/**
 * Sends each event to a custom address. The settings define method, authentication, headers, parameters, path and body,
 * which is JSON, XML or a form.
 *
 * Source: recorded behaviour of RudderStack's http destination; RudderStack docs, HTTP Webhook destination.
 */
export const http = defineDestination({
  type: 'HTTP',
  displayName: 'HTTP Webhook',
  supports: everyType,
  takesAnyType: true,
  settings: httpSettings,
  // Constant headers and parameters in the settings may be tokens. Constants of the body (`propertiesMapping`) are
  // ordinary data.
  secrets: ['password', 'bearerToken', 'apiKeyValue', 'headers.from', 'queryParams.from'],
  requests(event, settings) {
    const plan = planOf(settings)
    if (isMappingError(plan)) return plan
    const endpoint = plan.endpoint(event)
    if (isMappingError(endpoint)) return endpoint
    const headers = headersOf(plan, event)
    if (isMappingError(headers)) return headers
    const params = plan.params(event)
    if (isMappingError(params)) return params
    const parts = {
      method: settings.method,
      endpoint,
      headers: {
        ...withoutConnectionHeaders({ ...plan.auth, ...headers }),
        'Content-Type': contentTypes[settings.format],
      },
      params,
    }
    const body = settings.isDefaultMapping ? event : plan.body(event)
    if (isMappingError(body)) return body
    if (settings.format === 'XML') return xml({ ...parts, body: toXml(settings.xmlRootKey, body) })
    return settings.format === 'FORM' ? form({ ...parts, body: textMembers(body) }) : json({ ...parts, body })
  },
  limits: [
    'GET and DELETE have a body too, unless none is mapped; many servers ignore it.',
    'An event fails if a part of the path has no value, or if a header has one that is not text.',
    'With isBatchingEnabled and format JSON, a request has at most maxBatchSize events.',
  ],
  batch(entries, settings, limits) {
    const canShare = settings.isBatchingEnabled && settings.format === 'JSON'
    return canShare ? packLists(entries, settings, limits) : eachAlone(entries)
  },
  examples: httpExamples,
})

const contentTypes = {
  JSON: 'application/json',
  XML: 'application/xml',
  FORM: 'application/x-www-form-urlencoded',
} as const

/** The settings, parsed once for all events. */
interface Plan {
  readonly auth: Readonly<Record<string, string>>
  readonly endpoint: (event: TypedEvent) => string | MappingError
  readonly headers: Template
  readonly params: Template
  readonly body: Template
}

const plans = new WeakMap<HttpSettings, Plan | MappingError>()

function planOf(settings: HttpSettings): Plan | MappingError {
  let plan = plans.get(settings)
  if (!plan) {
    plan = createPlan(settings)
    plans.set(settings, plan)
  }
  return plan
}

function createPlan(settings: HttpSettings): Plan | MappingError {
  const headers = createTemplate(settings.headers, { hiddenAs: 'the value of a header', hasTextConstants: true })
  if (isMappingError(headers)) return headers
  const params = createTemplate(settings.queryParams, { hiddenAs: 'the value of a parameter' })
  if (isMappingError(params)) return params
  const body = createTemplate(settings.propertiesMapping)
  if (isMappingError(body)) return body
  const segments = settings.pathParams.filter(({ path }) => path?.trim()).map(({ path = '' }) => parseReader(path))
  const wrong = segments.find(isMappingError)
  if (wrong) return wrong
  const endpoint = endpointWith(settings.apiUrl, segments as readonly Reader[])
  return { auth: authOf(settings), endpoint, headers, params, body }
}

function authOf({
  auth,
  username,
  password,
  bearerToken,
  apiKeyName,
  apiKeyValue,
}: HttpSettings): Record<string, string> {
  switch (auth) {
    case 'basicAuth':
      return { Authorization: convert.basicAuth(username ?? '', password) }
    case 'bearerTokenAuth':
      return { Authorization: `Bearer ${bearerToken ?? ''}` }
    case 'apiKeyAuth':
      return apiKeyName ? { [apiKeyName]: apiKeyValue ?? '' } : {}
    case 'noAuth':
      return {}
  }
}

/** Appends encoded segments to the path of the address. They cannot lead out of it. */
function endpointWith(apiUrl: string, segments: readonly Reader[]): Plan['endpoint'] {
  if (parseUrl(apiUrl) === undefined) return () => configurationError('apiUrl is not a valid URL')
  if (segments.length === 0) return () => apiUrl
  const [, path = '', query = ''] = /^([^?#]*)(.*)$/s.exec(apiUrl) ?? []
  const base = withoutTrailing(path, '/')
  return (event) => {
    const found: JsonValue[] = segments.flatMap((read) =>
      read(event)
        .slice(0, 1)
        .map(({ value }) => value),
    )
    if (found.length < segments.length) return configurationError('a path parameter has no value in the event')
    const texts = found.map((value) => convert.text(value).replace(/[\uD800-\uDFFF]/gu, '\uFFFD')) // lone surrogates
    if (!texts.every(isSegment)) {
      return instrumentationError('a path parameter is empty or cannot be a path segment')
    }
    return [base, ...texts.map(encodeURIComponent)].join('/') + query
  }
}

/** Returns the headers of the settings. Text only: a header with `[object Object]` or `1e+21` would surprise its reader. */
function headersOf(plan: Plan, event: TypedEvent): Readonly<Record<string, string>> | MappingError {
  const headers = plan.headers(event)
  if (isMappingError(headers)) return headers
  const wrong = Object.entries(headers).find(([, value]) => typeof value !== 'string')
  if (wrong) return instrumentationError(`the header ${wrong[0]} is not text in the event, but ${typeof wrong[1]}`)
  return headers as Readonly<Record<string, string>>
}

function textMembers(value: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert.text(member ?? '')]))
}

function withoutConnectionHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isConnectionHeader(name)))
}
