import { identifierText, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { identifierName } from '@sluice/core/opendsr'
import { findingTypes, identityTypes } from './identity-types.ts'
import type { SubjectIdentifiers } from './subject-identifiers.ts'
import { type SubjectRequestType, subjectRequestTypes } from './subject-request.ts'

/** What a request says. */
export interface ParsedSubjectRequest {
  readonly id: string
  readonly type: SubjectRequestType
  readonly identifiers: SubjectIdentifiers
  readonly callbackUrls: readonly string[]
}

export interface SubjectRequestRules {
  /** Domain of this processor, for which requests may have extensions. */
  readonly domain: string
  /** Returns why an address must not be called; undefined when it may. */
  callbackProblem(url: string): string | undefined
}

const identitiesMax = 20
const callbacksMax = 10
const urlCharsMax = 2_000
const valueCharsMax = 1_000
const problemsMax = 20

/** RFC 9562, version 4, in lower case: OpenDSR specification, 1.1. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** RFC 3339. */
const time = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Returns whether a text can be the id of a request. */
export function isSubjectRequestId(text: string): boolean {
  return uuid.test(text)
}

/**
 * Reads a request. Members that OpenDSR does not have are ignored, because a controller may send one document to several
 * processors; whatever concerns the person or the call-backs must be understood.
 * @returns what is wrong, without values of the request, when something is. Source: OpenDSR specification, 7.1.
 */
export function parseSubjectRequest(
  body: JsonObject,
  rules: SubjectRequestRules,
): { readonly request: ParsedSubjectRequest } | { readonly problems: readonly [string, ...string[]] } {
  const problems: string[] = []
  const id = textOf(body['subject_request_id'])
  if (!isSubjectRequestId(id)) problems.push('subject_request_id must be a UUID of version 4 in lower case')
  const type = subjectRequestTypes.find((known) => known === body['subject_request_type'])
  if (type === undefined) problems.push(`subject_request_type must be one of ${subjectRequestTypes.join(', ')}`)
  if (body['regulation'] !== 'gdpr' && body['regulation'] !== 'ccpa') problems.push('regulation must be gdpr or ccpa')
  if (!isTime(body['submitted_time'])) problems.push('submitted_time must be a time of RFC 3339')
  const version = body['api_version'] ?? null
  if (version !== null && !/^2(?:\.\d{1,3}){0,2}$/.test(textOf(version)))
    problems.push('api_version must be 2.0, or left out')
  problems.push(...extensionProblems(body['extensions'] ?? null, rules.domain))
  const { identifiers, problems: wrongIdentities } = readIdentities(body['subject_identities'])
  const { urls, problems: wrongUrls } = readCallbacks(body['status_callback_urls'] ?? null, rules)
  problems.push(...wrongIdentities, ...wrongUrls)
  const [first, ...more] = problems
  if (first !== undefined || type === undefined) return { problems: [first ?? '', ...more.slice(0, problemsMax - 1)] }
  return { request: { id, type, identifiers, callbackUrls: urls } }
}

function readIdentities(given: JsonValue | undefined): {
  readonly identifiers: SubjectIdentifiers
  readonly problems: readonly string[]
} {
  if (!Array.isArray(given) || given.length === 0)
    return { identifiers: {}, problems: ['subject_identities must be a list of one identity or more'] }
  if (given.length > identitiesMax)
    return {
      identifiers: {},
      problems: [`subject_identities has ${given.length} identities, at most ${identitiesMax} are allowed`],
    }
  const identifiers = new Map<string, readonly string[]>()
  const problems = given.flatMap((identity, index) => {
    const problem = identityProblem(identity, identifiers)
    return problem === undefined ? [] : [`subject_identities[${index}]: ${problem}`]
  })
  if (problems.length === 0 && !findingTypes.some((type) => identifiers.has(identifierName(type))))
    problems.push(`subject_identities must have one of ${findingTypes.join(', ')}`)
  return { identifiers: Object.fromEntries(identifiers), problems }
}

/** Adds an identity to those before it. @returns why it cannot be added. */
function identityProblem(identity: JsonValue, identifiers: Map<string, readonly string[]>): string | undefined {
  if (!isJsonObject(identity)) return 'must be an object'
  const { identity_type: type, identity_value: value, identity_format: format } = identity
  if (typeof type !== 'string' || !identityTypes.includes(type))
    return `identity_type must be one of ${identityTypes.join(', ')}`
  // What is hashed cannot be compared with all the writings of an id.
  if (format !== 'raw') return 'identity_format must be raw'
  if (typeof value !== 'string' || identifierText(value) === '' || value.length > valueCharsMax)
    return `identity_value must be a text of 1 to ${valueCharsMax} characters`
  const name = identifierName(type)
  const others = identifiers.get(name) ?? []
  const isKnown = others.some((other) => identifierText(other) === identifierText(value))
  identifiers.set(name, isKnown ? others : [...others, value])
  return undefined
}

function readCallbacks(
  given: JsonValue,
  { callbackProblem }: SubjectRequestRules,
): { readonly urls: readonly string[]; readonly problems: readonly string[] } {
  if (given === null) return { urls: [], problems: [] }
  if (!Array.isArray(given) || given.length > callbacksMax)
    return { urls: [], problems: [`status_callback_urls must be a list of at most ${callbacksMax} addresses`] }
  const urls = [...new Set(given.map(textOf))]
  const problems = urls.flatMap((url, index) => {
    const problem =
      url === '' || url.length > urlCharsMax ? `must be an address of at most ${urlCharsMax} characters` : undefined
    const reason = problem ?? callbackProblem(url)
    return reason === undefined ? [] : [`status_callback_urls[${index}]: ${reason}`]
  })
  return { urls, problems }
}

/** Identities in an extension that is not understood would stay. */
function extensionProblems(given: JsonValue, domain: string): readonly string[] {
  if (given === null) return []
  if (!isJsonObject(given)) return ['extensions must be an object']
  return Object.hasOwn(given, domain) ? [`extensions: there are none for ${domain}`] : []
}

function isTime(given: JsonValue | undefined): boolean {
  return typeof given === 'string' && time.test(given) && !Number.isNaN(Date.parse(given))
}

function textOf(given: JsonValue | undefined): string {
  return typeof given === 'string' ? given : ''
}
