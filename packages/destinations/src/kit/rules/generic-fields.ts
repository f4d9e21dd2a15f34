/** Returns the paths of traits by their names: those of the event come before those of its context. */
export const traits = (...names: readonly string[]): readonly string[] => [
  ...names.map((name) => `traits.${name}`),
  ...names.map((name) => `context.traits.${name}`),
]

const userIdOnly = ['userId', ...traits('userId', 'id')]
const email = [...traits('email'), 'properties.email']
const zipNames = ['zip', 'zipcode', 'zip_code', 'zipCode', 'postalcode', 'postal_code', 'postalCode']

/**
 * Paths at which senders put the fields that most destinations need. The first path with a non-blank value counts.
 * Traits of the event come before those of its context.
 *
 * Source: packages/docs/behaviour/mapping.md#generic-fields.
 */
export const generic = {
  address: traits('address'),
  avatar: ['avatar', 'avatarURL', 'avatar_URL'].flatMap((name) => traits(name)),
  birthday: [
    ...['birthday', 'dateOfBirth'].flatMap((name) => traits(name)),
    'traits.dateofbirth',
    'context.dateofbirth',
    ...['dob', 'DOB'].flatMap((name) => traits(name)),
  ],
  city: traits('address.city'),
  country: traits('country'),
  countryCode: [
    'traits.countryCode',
    'traits.address.countryCode',
    'context.traits.address.countryCode',
    'context.traits.countryCode',
  ],
  createdAt: [...traits('createdAt'), 'timestamp', 'originalTimestamp'],
  createdAtOnly: traits('createdAt'),
  /** External ids are none: see `personEmail`. */
  email,
  firstName: traits('firstName', 'firstname', 'first_name'),
  gender: traits('gender'),
  groupId: ['groupId', 'traits.groupId'],
  lastName: traits('lastName', 'lastname', 'last_name'),
  middleName: traits('middleName', 'middle_name'),
  name: traits('name'),
  pagePath: ['context.page.path', 'properties.path'],
  pageTitle: ['context.page.title', 'properties.title'],
  pageUrl: ['context.page.url', 'properties.url'],
  phone: [...traits('phone'), 'properties.phone'],
  region: traits('region'),
  sessionId: ['session_id', 'context.sessionId'],
  state: traits('state'),
  street: traits('street', 'address.street'),
  timestamp: ['timestamp', 'originalTimestamp'],
  title: traits('title'),
  traits: ['traits', 'context.traits'],
  /** Falls back to the anonymousId; `userIdOnly` does not. */
  userId: [...userIdOnly, 'anonymousId'],
  userIdOnly,
  /** Fields of a page: those of the event before those of its context. */
  viewed: {
    pageUrl: ['properties.url', 'context.page.url'],
    pageTitle: ['properties.title', 'context.page.title'],
    referrer: ['properties.referrer', 'context.page.referrer'],
    search: ['properties.search', 'context.page.search'],
  },
  website: [...traits('website'), 'properties.website'],
  zipcode: [
    ...zipNames.map((name) => `traits.${name}`),
    ...['zipcode', 'zip_code', 'zip', 'zipCode', 'postalcode', 'postal_code', 'postalCode'].map(
      (name) => `traits.address.${name}`,
    ),
    ...zipNames.map((name) => `context.traits.${name}`),
    ...zipNames.map((name) => `context.traits.address.${name}`),
  ],
} as const satisfies Record<string, readonly string[] | Record<string, readonly string[]>>
