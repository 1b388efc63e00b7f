// Mesh files that stand in the scene, read by three's loaders.
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import { bytes_of_base64, gunzip } from "./decode.js";
import { Parts } from "./parts.js";

async function load({ format, data }) {
  const bytes = await gunzip(bytes_of_base64(data));
  const parts = new Parts();
  if (format === "stl") {
    const geometry = new STLLoader().parse(bytes.buffer);
    geometry.computeVertexNormals();  // those of the file are often missing
    parts.add(geometry);
  }
  else new OBJLoader().parse(new TextDecoder().decode(bytes)).traverse((node) => node.isMesh && parts.add(node.geometry));
  return parts.geometry();
}

/// Null stands for a mesh that cannot be read; `complain` hears why.
export const load_meshes = (meshes, complain) =>
  Promise.all((meshes ?? []).map((mesh, i) => load(mesh).catch((error) => (complain(`mesh ${i} cannot be drawn: ${error.message}`), null))));
