import { Type } from 'typebox'

const group = 'Consent'

/** Providers by the value that events and settings name. Source: RudderStack docs, consent management. */
const providers = { oneTrust: 'OneTrust', ketch: 'Ketch', iubenda: 'iubenda', custom: 'Custom' }

/** An id, as RudderStack writes it (`{ consent: 'C0002' }`) or as a text. */
const idIn = (member: string, description: string) => ({
  type: ['object', 'string'],
  isFixed: true,
  allowed: `an object with ${member}, a text`,
  required: [member],
  properties: { [member]: { type: 'string', isFixed: true, description } },
})

/** A list for all sources, or one for each kind of source: `{ web: […], android: […] }`. */
const byPlatform = (items: object, words: { readonly title: string; readonly description: string }, entry: string) => {
  const list = { type: 'array', items, isFixed: true, allowed: `a list of ${entry}` }
  return Type.Optional(
    Type.Unsafe<object>({
      type: ['array', 'object'],
      items,
      additionalProperties: list,
      isFixed: true,
      group,
      allowed: `a list of ${entry}, or an object with such a list for each kind of source ({ "web": [] }), written out: a variable or a template gives a text`,
      title: words.title,
      description: `${words.description} One list, or one for each kind of source.`,
    }),
  )
}

/** Settings that name the consents a destination needs. See `consentFilter`. */
export const consentSettings = {
  consentManagement: byPlatform(
    {
      type: 'object',
      isFixed: true,
      required: ['provider', 'consents'],
      allowed: 'an object with provider and consents',
      properties: {
        provider: {
          enum: Object.keys(providers),
          choices: providers,
          isFixed: true,
          title: 'Provider',
          description: 'The provider whose ids events carry.',
        },
        consents: {
          type: 'array',
          isFixed: true,
          title: 'Consents',
          description: 'Ids of the consents that the destination needs.',
          allowed: 'a list of objects with consent',
          items: idIn('consent', 'Id of a consent, as the provider has it.'),
        },
        resolutionStrategy: {
          enum: ['and', 'or', ''],
          choices: { and: 'All are needed', or: 'One is enough', '': 'As the event says' },
          isFixed: true,
          title: 'Which are needed',
          description: 'For the provider custom: all consents, unless or. For others, the event says it.',
        },
      },
    },
    {
      title: 'Consents',
      description: 'Consents that the destination needs, by provider. Events of users who denied one are dropped.',
    },
    'objects with provider and consents',
  ),
  oneTrustCookieCategories: byPlatform(
    idIn('oneTrustCookieCategory', 'Id of a category.'),
    {
      title: 'OneTrust categories',
      description: 'Older form of consentManagement: categories of OneTrust. All are needed.',
    },
    'objects with oneTrustCookieCategory',
  ),
  ketchConsentPurposes: byPlatform(
    idIn('purpose', 'Id of a purpose.'),
    {
      title: 'Ketch purposes',
      description: 'Older form of consentManagement: purposes of Ketch. One is enough.',
    },
    'objects with purpose',
  ),
}
