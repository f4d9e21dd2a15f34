const consents = ['consentManagement', 'oneTrustCookieCategories', 'ketchConsentPurposes'] as const
const lists = ['whitelistedEvents', 'blacklistedEvents'] as const

export type GateName = (typeof consents)[number] | 'eventFilteringOption' | (typeof lists)[number]

/** Names of the settings that may have a list for each kind of source. */
export const consentNames: readonly string[] = consents

/** Names of the settings that decide which events a destination may get, in the order of a form. */
export const gateNames: readonly string[] = [...consents, 'eventFilteringOption', ...lists]

/** Those that are lists: a text, such as the value of a variable, never is one. */
export const gateListNames: readonly string[] = [...consents, ...lists]
