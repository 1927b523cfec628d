// Why a broken stream is opened again at once: the browser is online, or the page is seen.

/** @returns the end of the subscription */
export function whenOnline(retry: () => void): () => void {
  const onVisible = (): void => {
    if (!document.hidden) retry();
  };
  addEventListener('online', retry);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    removeEventListener('online', retry);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
