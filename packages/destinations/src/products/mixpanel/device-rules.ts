import { type Rule, to } from '../../kit/index.ts'

/**
 * Groups of rules that events and profiles share. They are small because Mixpanel's bodies are texts, and RudderStack
 * writes the keys of events and of profiles in different orders.
 */
export const deviceRules = {
  screen: [to('$screen_height').from('context.screen.height'), to('$screen_width').from('context.screen.width')],
  hardware: [to('$manufacturer').from('context.device.manufacturer'), to('$model').from('context.device.model')],
  /** The page that first led the user to the site. */
  firstPage: [
    to('$initial_referrer').from('context.page.initial_referrer', 'context.page.initialReferrer'),
    to('$initial_referring_domain').from(
      'context.page.initial_referring_domain',
      'context.page.initialReferringDomain',
    ),
  ],
} satisfies Readonly<Record<string, readonly Rule[]>>
