export default function Start() {
  return (
    <main>
      <h1>Florin</h1>
      <p>A self-hosted payment service.</p>
    </main>
  );
}
