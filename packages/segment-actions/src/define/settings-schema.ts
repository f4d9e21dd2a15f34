import type { JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import type { TObject } from 'typebox'
import type { SegmentAuthentication, SegmentDefinition, SegmentField } from '../peer/segment-definition.ts'

interface SettingsSchema {
  readonly schema: TObject
  /** Paths of settings that are masked. */
  readonly secrets: readonly string[]
}

interface SettingsSchemaOptions {
  readonly definition: Pick<SegmentDefinition, 'authentication' | 'actions'>
  /** Whether it opens connections of its own. */
  readonly hasOwnNetwork: boolean
}

/**
 * Returns the JSON Schema of a destination's settings: the fields of its authentication, `oauth` for the tokens of an
 * account, `subscriptions`, and `allowOwnNetwork`. Password fields and tokens are secrets.
 */
export function settingsSchema({ definition, hasOwnNetwork }: SettingsSchemaOptions): SettingsSchema {
  const { authentication, actions } = definition
  const fields = Object.entries(authentication?.fields ?? {})
  const account = usesAccount(authentication)
  const properties = {
    ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    ...(account ? { oauth: oauthSchema } : {}),
    subscriptions: subscriptionsSchema(Object.keys(actions)),
    ...(hasOwnNetwork ? { allowOwnNetwork } : {}),
  }
  const required = [
    ...fields.filter(([, { required }]) => required === true).map(([name]) => name),
    ...(account ? ['oauth'] : []),
  ]
  const passwords = fields.filter(([, { type }]) => type === 'password').map(([name]) => name)
  return {
    // A schema of typebox is the JSON Schema itself.
    schema: { type: 'object', required, properties } as unknown as TObject,
    secrets: [...passwords, ...(account ? oauthSecrets.map((name) => `oauth.${name}`) : [])],
  }
}

/** Returns whether a destination gets tokens from an account. */
export function usesAccount(authentication: SegmentAuthentication | undefined): boolean {
  return authentication?.scheme === 'oauth2' || authentication?.scheme === 'oauth-managed'
}

/** Returns the JSON Schema of one field, in words that public definitions show. */
export function fieldSchema(field: SegmentField): JsonObject {
  const { label, description, default: fallback, choices, format, multiple, properties } = field
  const about = [label, description].filter(Boolean).join(': ')
  const values = choices?.map((choice) => (typeof choice === 'object' ? choice.value : choice))
  return defined({
    // Actions, and `extendRequest` for a whole batch, get the settings as they are: no event may decide one.
    isFixed: true,
    type: properties || multiple ? undefined : types[field.type],
    description: about === '' ? undefined : about,
    enum: values,
    default: fallback,
    format: format !== undefined && formats.has(format) ? format : undefined,
    minLength: field.required === true && types[field.type] === 'string' && !values ? 1 : undefined,
  })
}

const types: Readonly<Record<SegmentField['type'], string>> = {
  string: 'string',
  text: 'string',
  password: 'string',
  datetime: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
}

/** Formats that can be checked; others describe an input of Segment's page. */
const formats: ReadonlySet<string> = new Set(['uri', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'date', 'date-time'])

const oauthSecrets = ['accessToken', 'refreshToken', 'clientSecret']

const oauthSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  description:
    'Tokens of the account. With refreshToken, clientId and clientSecret, new access tokens are requested when the product refuses one.',
  allowed: 'an object with accessToken, or with refreshToken, clientId and clientSecret',
  minProperties: 1,
  properties: {
    accessToken: { type: 'string', isFixed: true, minLength: 1, description: 'Access token to begin with.' },
    refreshToken: {
      type: 'string',
      isFixed: true,
      minLength: 1,
      description: 'Token that new access tokens are requested with.',
    },
    clientId: { type: 'string', isFixed: true, minLength: 1, description: 'Id of your application at the product.' },
    clientSecret: {
      type: 'string',
      isFixed: true,
      minLength: 1,
      description: 'Secret of your application at the product.',
    },
  },
}

const allowOwnNetwork: JsonObject = {
  type: 'boolean',
  default: false,
  isFixed: true,
  isOperators: true,
  description:
    'Allows this destination to open connections of its own, to which checks of addresses, time limits and records do not apply.',
}

function subscriptionsSchema(actions: readonly string[]): JsonObject {
  return {
    type: 'array',
    maxItems: 200,
    description: 'Which action runs for which events. Default: the automatic presets of the definition.',
    allowed: 'a list of at most 200 subscriptions',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['action'],
      allowed: 'an object with action, and optionally subscribe, mapping, preset, enabled, batch',
      properties: {
        action: { enum: actions, description: 'Name of the action.' },
        subscribe: {
          type: 'string',
          isFixed: true,
          description: 'Condition in FQL, such as type = "track". Default: that of the preset or the action.',
        },
        mapping: {
          type: 'object',
          description: 'Members of the payload; they replace those of the preset, or the defaults of the fields.',
          allowed: 'an object of fields',
        },
        preset: {
          type: ['string', 'null'],
          description: 'Name of the preset to start from; null: the defaults of the fields.',
          allowed: 'the name of a preset, or null',
        },
        enabled: { type: 'boolean', default: true, description: 'Whether the subscription is used.' },
        batch: {
          type: 'boolean',
          description: 'Whether events are sent together. Default: enable_batching of the mapping.',
        },
      },
    },
  }
}
