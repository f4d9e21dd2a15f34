import type { Rule } from '../../kit/rules/rule.ts'
import { to } from '../../kit/rules/to.ts'

// Groups of rules that events and profiles share. They are small because Mixpanel's bodies are texts, and RudderStack
// writes the keys of events and of profiles in different orders.

export const screenRules: readonly Rule[] = [
  to('$screen_height').from('context.screen.height'),
  to('$screen_width').from('context.screen.width'),
]

export const hardwareRules: readonly Rule[] = [
  to('$manufacturer').from('context.device.manufacturer'),
  to('$model').from('context.device.model'),
]

/** The page that first led the user to the site. */
export const firstPageRules: readonly Rule[] = [
  to('$initial_referrer').from('context.page.initial_referrer', 'context.page.initialReferrer'),
  to('$initial_referring_domain').from('context.page.initial_referring_domain', 'context.page.initialReferringDomain'),
]
