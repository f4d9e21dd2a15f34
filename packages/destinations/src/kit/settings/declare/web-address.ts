/**
 * What an address of a destination must be. One with a user and a password is refused: they would not be sent, and answers
 * would show them.
 */
export const webAddress = {
  pattern: '^https?://(?![^/?#]*@)',
  allowed: 'an http or https address without user and password',
} as const
