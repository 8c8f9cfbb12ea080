// Checks that the secret of the shuffle was the promised one.

/**
 * Compare the secret that was shown at the end with what was promised at the start; null where
 * the browser may not compute (away from this machine, it does so over https alone).
 * @param {string} secret
 * @param {string} commitment
 * @returns {Promise<boolean | null>}
 */
export async function kept(secret, commitment) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex === commitment.toLowerCase();
}
